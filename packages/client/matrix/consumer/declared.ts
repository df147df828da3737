/** Emits declarations, which must name every type by the packages that a project depends on. */
import { type CallError, createClient, createLimiter, loggingHooks, watchTransactions, withBigints } from "@chain-query/client";
import { parseAddress } from "@chain-query/client/address";
import { createQueries } from "@chain-query/client/query";
import { documented, fakeFetch, fixtures, inTurn } from "@chain-query/client/testing";
import { validate } from "@chain-query/client/validate";
import { QueryClient } from "@tanstack/react-query";

export const chain = createClient({ baseUrl: "http://node.test", validate });
export const raw = chain.raw;
export const { GET, POST, use } = chain.raw;
export const get = () => chain.raw.GET("/api/v2/getMasterchainInfo");
export const post = () => chain.raw.POST("/api/v2/lookupBlock", { body: { workchain: -1, shard: "1", seqno: 1 } });
export const generic = () => chain.raw.request("get", "/api/v2/getMasterchainInfo", {});
export const head = () => chain.getMasterchainInfo();
export const safe = () => chain.getMasterchainInfo().safe();
export const whole = () => chain.getMasterchainInfo().withResponse();
export const history = () => chain.transactions({ address: "" });
export const pages = () => chain.transactions({ address: "" }).pages();
export const exact = withBigints(chain);
export const balance = () => exact.getAddressInformation({ address: "" });
export const watched = () => watchTransactions(chain, "");
export const limiter = createLimiter({ requests: 1, perMs: 1 });
export const hooks = loggingHooks(console);
export const fake = fakeFetch({ ...documented, getConsensusBlock: inTurn(fixtures.getConsensusBlock.current) });
export const parsed = () => parseAddress("");
export const codeOf = (error: CallError) => error.code;

export const queries = createQueries(chain);
export const exactQueries = createQueries(exact);
export const query = queries.getMasterchainInfo();
export const historyQuery = queries.transactions({ address: "" });
export const keys = queries.keys;
/** Typed by its key. */
export const seqno = () => new QueryClient().getQueryData(query.queryKey)?.last.seqno;
export const wrong = (): string | undefined => {
  // @ts-expect-error: the key tells that it is a number
  return seqno();
};
