/** The proofs of documented responses (D-53), which the chain of the examples made. Loaded with the first request for one. */
import { parseAddress, toRawAddress } from "@chain-query/openapi/address";
import { type ProofPreference, preferencesIn } from "@chain-query/openapi/heads";
import { type Operation, operationsById } from "@chain-query/openapi/operations";
import type { ApiRequest, ApiResponse } from "./exchange.ts";

interface SignedHead {
  readonly block_id: { readonly seqno: number };
}

/** The member proof of an envelope. */
export interface Proof {
  readonly "@type": string;
  readonly head?: SignedHead;
  /** From the zero state. */
  readonly links?: readonly { readonly config: string; readonly head: SignedHead }[];
  readonly cells?: string;
}

/** Adds the proof to a response if the request prefers it, and if the chain of the examples has one. */
export async function withProof(
  { id }: Operation,
  { headers, query }: ApiRequest,
  response: ApiResponse,
): Promise<ApiResponse> {
  const preference = preferencesIn(headers["prefer"]).proof;
  if (preference === undefined || response.status !== 200) return response;
  const example = isNewestPage(query, response) ? "first-page" : response.example;
  const { proofs } = await import("./proofs.gen.ts");
  const isLaterPage = id === "getTransactionsStd" && query["lt"] !== undefined;
  const found = isLaterPage && example !== undefined ? { "@type": "chain.proof" } : proofs[`${id}.${example}`];
  if (found === undefined) return response;
  const { "@extra": extra, ...body } = response.body as Readonly<Record<string, unknown>>;
  const applied = [response.headers["preference-applied"], "proof"].filter(Boolean).join(", ");
  return {
    ...response,
    headers: { ...response.headers, "preference-applied": applied },
    body: { ...body, proof: preferred(found, preference), "@extra": extra },
    constant: false,
  };
}

const [firstPage] = operationsById.getTransactionsStd.examples;
const accountOf = (address: unknown) => toRawAddress(parseAddress(String(address)));

/** Whether a page begins with the newest transaction of the chain of the examples, or has none of its account. */
function isNewestPage({ address, lt }: ApiRequest["query"], { body }: Pick<ApiResponse, "body">): boolean {
  const listIn = (page: unknown) => Object(page).result?.transactions;
  const [hash, newest] = [body, firstPage?.response.body].map((page) => listIn(page)?.[0]?.transaction_id?.hash);
  if (hash !== undefined) return hash === newest;
  return (
    listIn(body) !== undefined && lt === undefined && accountOf(address) === accountOf(firstPage?.request.query?.["address"])
  );
}

/** A proof without the links and the head that the caller does not need. */
function preferred({ head, links = [], ...rest }: Proof, { head: verified, key }: ProofPreference): Proof {
  const from = [0, ...links.slice(0, -1).map((link) => link.head.block_id.seqno)].indexOf(key ?? -1);
  if (from >= 0 && links.length > 0) return { ...rest, links: links.slice(from) };
  const newest = head ?? links.at(-1)?.head;
  return newest === undefined || newest.block_id.seqno === verified ? rest : { ...rest, head: newest };
}
