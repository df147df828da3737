/** Writes src/operations.gen.ts, what the client knows about each operation at run time, from the bundle. */
import { writeFileSync } from "node:fs";
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };

const methods = ["get", "post"] as const;
const operations = Object.entries(bundle.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation: unknown = Object.entries(item).find(([name]) => name === method)?.[1];
    if (typeof operation !== "object" || operation === null || !("operationId" in operation)) return [];
    return [`  ${String(operation.operationId)}: { method: "${method}", path: "${path}" },`];
  }),
);

writeFileSync(
  new URL("src/operations.gen.ts", import.meta.url),
  `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */
import type { OperationId, paths } from "@chain-query/types";

/** Method and path of every operation. */
export const operations: Readonly<Record<OperationId, { method: "get" | "post"; path: keyof paths }>> = {
${operations.join("\n")}
};
`,
);
