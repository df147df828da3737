/** The tour of a service, with the client and the account of the contract's examples. */
import { createClient } from "@chain-query/client";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { table, tour } from "../tour.ts";

/** Calls all eight operations of the service. */
export async function touring(baseUrl: string): Promise<{ readonly table: string; readonly failed: boolean }> {
  const address = examples.find(({ condition }) => condition === "active")?.request.body?.address ?? "";
  const { stops, failed } = await tour(
    (seen) =>
      createClient({
        baseUrl,
        // The service asks for no pace here, and waiting would hide how long a call takes.
        rateLimit: false,
        fetch: async (request) => {
          const response = await fetch(request);
          seen(response.status);
          return response;
        },
      }),
    address,
  );
  return { table: table(stops), failed };
}
