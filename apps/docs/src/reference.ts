/** The reference as a part of the site: its page, in the chrome that all pages have, and Redoc's script. */
import { hashedAsset } from "./assets.ts";
import type { Contract } from "./contract.ts";
import { readChoices } from "./contract-decisions.ts";
import { documentedExamples } from "./contract-examples.ts";
import { contractForReaders } from "./contract-for-readers.ts";
import { faceLink } from "./markdown/face.ts";
import type { SitePart } from "./page.ts";
import { referencePage } from "./pages/reference.ts";
import { referenceFace } from "./reference-face.ts";
import { referenceInPage } from "./reference-in-page.ts";
import { referenceParts } from "./reference-page.ts";
import { codeStyles, withoutEval } from "./reference-policy.ts";
import { referenceScript } from "./reference-script.ts";
import type { Workflow } from "./workflows.ts";

/** What the reference is made of. */
export interface ReferenceSources {
  contract: Contract;
  workflows: readonly Workflow[];
  /** The text of DECISIONS.md. */
  decisions: string;
}

/** Renders the reference. */
export async function referencePart({ contract, workflows, decisions }: ReferenceSources): Promise<SitePart> {
  const text = withoutEval(String((await referenceScript()).content));
  const scripts = { redoc: hashedAsset("redoc", "js", text), inPage: await referenceInPage() };
  const shown = contractForReaders(contract, { workflows, examples: documentedExamples, choices: readChoices(decisions) });
  const parts = await referenceParts(shown, scripts, "reference/");
  const face = referenceFace(contract, documentedExamples, (path) => faceLink("reference/", path));
  return {
    pages: [referencePage(contract, parts, { markdown: face, styles: codeStyles(text) })],
    files: Object.values(scripts),
  };
}
