/**
 * Questions that the source document leaves open, kept by hand, each with the decision that answers it. A new question needs a line
 * here and a decision; every decision answers at least one question.
 */

export interface OpenQuestion {
  question: string;
  decision: string;
}

/** Gaps that the document names, in its order. */
export const notShown: OpenQuestion[] = [
  { question: "how hash strings are encoded", decision: "D-07" },
  { question: "how code, data, body and init_state are encoded", decision: "D-07" },
  { question: "which kinds of msg_data there are but msg.dataRaw", decision: "D-10" },
  { question: "which states an account can be in but uninitialized", decision: "D-08" },
  { question: "which state can follow which", decision: "D-33" },
  { question: "which member of a request carries @extra", decision: "D-05" },
  { question: "what seqno does in getAddressInformation", decision: "D-16" },
  { question: "the form of the result of getTransactionsStd", decision: "D-13" },
  { question: "the JSON types of the members of lookupBlock", decision: "D-11" },
  { question: "which selector of lookupBlock wins over the others", decision: "D-11" },
  { question: "the status of an invalid key", decision: "D-38" },
  { question: "which events there are", decision: "D-31" },
  { question: "the shape of the error field and its codes", decision: "D-03" },
  { question: "how a program tells failures of one status apart", decision: "D-50" },
  { question: "the HTTP status for each condition", decision: "D-04" },
  { question: "the rate that a key allows", decision: "D-24" },
  { question: "the highest limit of getTransactionsStd", decision: "D-15" },
  { question: "how operations are deprecated and what stays compatible", decision: "D-32" },
];

/** Other gaps and contradictions of the document. */
export const unspoken: OpenQuestion[] = [
  { question: "@extra is optional, and yet required for getTransactionsStd", decision: "D-30" },
  { question: "which forms of an address each request takes", decision: "D-34" },
  { question: "what message and message_decode_error mean", decision: "D-35" },
  { question: "in which unit amounts are", decision: "D-36" },
  { question: "which form an address in a response has", decision: "D-39" },
  { question: "the last transaction of an account that has none", decision: "D-40" },
  { question: "frozen_hash of an account that is not frozen", decision: "D-41" },
  { question: "the order of the shards in getOutMsgQueueSize", decision: "D-42" },
  { question: "the unit of utime, sync_utime and unixtime", decision: "D-43" },
  { question: "of which chain block_id is", decision: "D-44" },
  { question: "how large a logical time can be", decision: "D-46" },
  { question: "the status of a request that is too large or not JSON", decision: "D-45" },
  { question: "the range of a currency's id", decision: "D-47" },
  { question: "whether ihr_fee is part of value or fee", decision: "D-48" },
  { question: "which bodies are comments", decision: "D-49" },
  { question: "as of which head a response is", decision: "D-51" },
  { question: "which responses may be stored", decision: "D-52" },
  { question: "how a result can be checked", decision: "D-53" },
  { question: "of which base64 alphabet the hash of getTransactionsStd may be", decision: "D-37" },
];

/** Behaviour of deployments that the document does not describe and the contract must choose. */
export const observed: OpenQuestion[] = [
  { question: "the network's word in type names", decision: "D-01" },
  { question: "the @type of every object", decision: "D-02" },
  { question: "a failure is a text and a number", decision: "D-03" },
  { question: "the statuses in use, 542 among them", decision: "D-04" },
  { question: "@extra is made by the server", decision: "D-05" },
  { question: "jsonrpc and id come with a JSON-RPC envelope only", decision: "D-06" },
  { question: "hashes in base64, cells as bags of cells in base64", decision: "D-07" },
  { question: "three states, and an uninitialised account with a balance", decision: "D-08" },
  { question: "suspended is absent where false", decision: "D-09" },
  { question: "four kinds of message content", decision: "D-10" },
  { question: "strings or integers, and exactly one selector, in lookupBlock", decision: "D-11" },
  { question: "which block an lt or a time finds", decision: "D-12" },
  { question: "raw.transactions and the messages in it", decision: "D-13" },
  { question: "where a page starts, where the next one does, and how the history ends", decision: "D-14" },
  { question: "a limit from 1 to 1000", decision: "D-15" },
  { question: "an account as of a masterchain block", decision: "D-16" },
  { question: "no in_msg on transactions that the clock starts", decision: "D-17" },
  { question: "an external message has no source transaction", decision: "D-18" },
  { question: "created_lt follows from the lt of the transaction", decision: "D-19" },
  { question: "how the consensus block relates to the head", decision: "D-20" },
  { question: "whole seconds or fractions in the consensus timestamp", decision: "D-21" },
  { question: 'the shard "0" of the zero state', decision: "D-22" },
  { question: "the balance of an account never seen", decision: "D-23" },
  { question: "rates by plan, and no headers on a 429", decision: "D-24" },
  { question: "a required key without which requests are served", decision: "D-25" },
  { question: "old history fails without archival", decision: "D-26" },
  { question: "unknown members of a body are refused", decision: "D-27" },
  { question: "how the three fees add up", decision: "D-28" },
  { question: "which members are always there", decision: "D-29" },
];
