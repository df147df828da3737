/** Compresses the files of a built site for the local server. Hosts of the published site compress by themselves. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressible = /\.(html|js|css|svg|md|txt|json|yaml|xml)$/;

/** Writes `NAME.br` and `NAME.gz` beside each file NAME of text of 1 kB or more. */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const content = await readFile(file);
      if (content.length < 1_000) return;
      // A higher quality takes ten times as long for a few per cent.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      await Promise.all([
        promisify(brotliCompress)(content, { params }).then((compressed) => writeFile(`${file}.br`, compressed)),
        promisify(gzip)(content, { level: 9 }).then((compressed) => writeFile(`${file}.gz`, compressed)),
      ]);
    }),
  );
}
