/** JSON for reading: indented, each kind of token in its colour. */

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Indents a text where it is JSON; any other stays as it is. */
export function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The nodes that show a text of JSON. */
export function jsonNodes(json: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const { 0: whole, 1: string, 2: colon, index } of json.matchAll(token)) {
    nodes.push(document.createTextNode(json.slice(end, index)));
    const span = document.createElement("span");
    span.className = colon !== undefined ? "c-function" : string !== undefined ? "c-string" : "c-constant";
    span.textContent = string ?? whole;
    nodes.push(span, document.createTextNode(colon ?? ""));
    end = index + whole.length;
  }
  return [...nodes, document.createTextNode(json.slice(end))];
}
