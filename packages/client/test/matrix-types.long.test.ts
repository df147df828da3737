/** The packed packages in a project outside of the workspace: their files, and each compiler. */
import { declarationRows, typescriptRows } from "../matrix/compilers.ts";
import { tarballRow, testRows } from "../matrix/consumer.ts";

await testRows(({ folder, project }) => [tarballRow(project), ...typescriptRows(project), ...declarationRows(folder)]);
