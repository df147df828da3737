/** The choice of colours, which is made before the first paint. */

/** Where the choice is remembered; the reference's own switch reads and writes the same. */
const themeKey = "redoc.colorMode";

/** Runs in the head: as the reader chose, or else as the system is. */
export const themeScript: string = `(e=>{let t;try{t=localStorage.getItem(${JSON.stringify(themeKey)})}catch{}
if(t!=="light"&&t!=="dark")t=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";e.classList.remove("light","dark");e.classList.add(t,"js")})(document.documentElement)`;
