// Answers GET /ADDRESS with the balance of the account, as JSON.
import {
  ApiError,
  createClient,
  formatNano,
  InvalidArgumentError,
} from "@chain-query/client";

interface Env {
  CHAIN_QUERY_URL: string;
  /** A secret: wrangler secret put CHAIN_API_KEY */
  CHAIN_API_KEY?: string;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const address = decodeURIComponent(
      new URL(request.url).pathname.slice(1),
    );
    const chain = createClient({
      baseUrl: env.CHAIN_QUERY_URL,
      deadlineMs: 10_000,
      ...(env.CHAIN_API_KEY && { apiKey: env.CHAIN_API_KEY }),
    });
    const found = await chain
      .getAddressInformation({ address }, { signal: request.signal })
      .safe();
    if (!found.ok) {
      const status =
        found.error instanceof InvalidArgumentError
          ? 422
          : found.error instanceof ApiError && found.error.status < 500
            ? found.error.status
            : 502;
      return Response.json({ error: found.error.message }, { status });
    }
    const { balance, state, block_id } = found.result;
    const body = {
      balance: formatNano(balance),
      state,
      seqno: block_id.seqno,
    };
    return Response.json(body, {
      headers: { "cache-control": "max-age=5" },
    });
  },
};
