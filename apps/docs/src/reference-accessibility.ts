/** Repairs of what Redoc renders, for readers who use a screen reader or no mouse. */
import { substitute } from "./substitution.ts";

const bundle = "Redoc's script";

/** One repair: what Redoc writes, and what stands in its place. */
type Repair = readonly [pattern: RegExp, replacement: (...found: string[]) => string];

const repairs: Repair[] = [
  // Below an operation, which is a heading of the second level, Redoc goes on with the fourth, and the fifth below that.
  [/\blevel:4,label:(`(?:Request|Responses)`)/g, (_, label = "") => `level:3,label:${label}`],
  [/(=\w+\.)h5(`\n {2}font-size: var\(--font-size-md\))/g, (_, before = "", after = "") => `${before}h4${after}`],
  // A button that shows "Alice's wallet" and is called "Example" is not found by whoever says what it shows.
  [
    /"aria-label":(\w+),children:(\(0,\w+\.jsx\)\(\w+,\{children:(\w+)\?\.labelNode\?\?\3\?\.label\}\))/g,
    (_, name = "", children = "", chosen = "") => `"aria-label":\`\${${name}}: \${${chosen}?.label}\`,children:${children}`,
  ],
  [
    /(collapsedSidebar:\w+,\$open:\w+,)onClick:/g,
    (_, before = "") => `${before}role:"navigation","aria-label":"Operations",onClick:`,
  ],
  [
    /(\{variant:`ghost`,)(onClick:\(\)=>\{\w+\(``\),\w+\(\w+\),\w+\.sendSearchInputResetClickedMessage)/g,
    (_, before = "", rest = "") => `${before}"aria-label":"Empty the search box",${rest}`,
  ],
  // What opens the search, and what switches between one column and two, answer to a mouse only.
  [
    /onClick:(\w+),(onPointerEnter:\w+,className:\w+,"data-testid":`search-trigger`,)/g,
    (_, act = "", rest = "") => `role:"button",${onPress(act)},${rest}`,
  ],
  [
    /onClick:(\w+),(collapsedSidebar:\w+,children:\[\(0,\w+\.jsx\)\(\w+,\{placement:\w+\?`right`:`top`,arrowPosition:\w+\?`center`:`right`,active:(\w+),)/g,
    (_, act = "", rest = "", stacked = "") =>
      `role:"switch","aria-checked":!${stacked},"aria-label":"Two columns",${onPress(act)},${rest}`,
  ],
];

/** The properties of an element that a mouse and a keyboard can press. */
function onPress(act: string): string {
  const pressed = `(event)=>{if(event.key==="Enter"||event.key===" "){event.preventDefault();${act}(event)}}`;
  return `tabIndex:0,onClick:${act},onKeyDown:${pressed}`;
}

/** Repairs what Redoc's script renders. */
export function accessible(script: string): string {
  return repairs.reduce((text, [pattern, replacement]) => substitute(text, bundle, pattern, replacement), script);
}

/** The same in what is rendered beforehand: React keeps the attributes that it finds there. */
const rendered: Repair[] = [
  [/( class="[^"]* menu-content")/g, (found) => `${found} role="navigation" aria-label="Operations"`],
  [/ data-testid="search-trigger"/g, (found) => ` role="button" tabindex="0"${found}`],
  [
    /<span( class="[^"]*"><div class="[^"]*" data-component-name="Tooltip\/Tooltip"><svg [^>]*data-component-name="icons\/HorizontalViewIcon)/g,
    (_, rest = "") => `<span role="switch" aria-checked="true" aria-label="Two columns" tabindex="0"${rest}`,
  ],
];

/** Repairs what is rendered beforehand. */
export function accessiblePage(page: string): string {
  return rendered.reduce((text, [pattern, replacement]) => substitute(text, "Redoc's page", pattern, replacement), page);
}
