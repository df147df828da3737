/** A button on each block of code, where the browser lets a page write to the clipboard. */
export function copyButtons(): void {
  for (const figure of document.querySelectorAll("figure.code:not(.printed)")) {
    const code = figure.querySelector("code");
    if (!code) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const done = await copy(code);
      button.textContent = done ? "Copied" : "Select and copy";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2_000);
    });
    figure.append(button);
  }
}

/** Where the clipboard is refused, as on a plain http address, the code is selected for the reader to copy. */
async function copy(code: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
