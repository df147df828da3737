/**
 * Where the source document is silent, kept by hand, and the decision that ends each silence. A new silence is a line here and a
 * decision; a decision that ends no silence has no reason to be.
 */

export interface Silence {
  silence: string;
  decision: string;
}

/** What the document itself calls not shown, in its order. */
export const notShown: Silence[] = [
  { silence: "how hash strings are encoded", decision: "D-07" },
  { silence: "how code, data, body and init_state are encoded", decision: "D-07" },
  { silence: "which kinds of msg_data there are but msg.dataRaw", decision: "D-10" },
  { silence: "which states an account can be in but uninitialized", decision: "D-08" },
  { silence: "which state can follow which", decision: "D-33" },
  { silence: "which member of a request carries @extra", decision: "D-05" },
  { silence: "what seqno does in getAddressInformation", decision: "D-16" },
  { silence: "what the result of getTransactionsStd looks like", decision: "D-13" },
  { silence: "the JSON types of the members of lookupBlock", decision: "D-11" },
  { silence: "which selector of lookupBlock wins over the others", decision: "D-11" },
  { silence: "what a key that is not valid leads to", decision: "D-38" },
  { silence: "which events there are", decision: "D-31" },
  { silence: "the shape of the error field and its codes", decision: "D-03" },
  { silence: "the HTTP status for each condition", decision: "D-04" },
  { silence: "the rate that a key allows", decision: "D-24" },
  { silence: "the highest limit of getTransactionsStd", decision: "D-15" },
  { silence: "how operations are deprecated and what stays compatible", decision: "D-32" },
];

/** What the document leaves open, or says in two ways, without calling it so. */
export const unspoken: Silence[] = [
  { silence: "@extra is optional, and yet required for getTransactionsStd", decision: "D-30" },
  { silence: "which forms of an address each request takes", decision: "D-34" },
  { silence: "what message and message_decode_error mean", decision: "D-35" },
  { silence: "in which unit amounts are", decision: "D-36" },
  { silence: "which form an address of an answer has", decision: "D-39" },
  { silence: "the last transaction of an account that has none", decision: "D-40" },
  { silence: "frozen_hash of an account that is not frozen", decision: "D-41" },
  { silence: "the order of the shards in getOutMsgQueueSize", decision: "D-42" },
  { silence: "the unit of utime, sync_utime and unixtime", decision: "D-43" },
  { silence: "of which chain block_id is", decision: "D-44" },
  { silence: "how large a logical time can be", decision: "D-46" },
  { silence: "what a request that is too large or not JSON leads to", decision: "D-45" },
  { silence: "of which base64 alphabet the hash of getTransactionsStd may be", decision: "D-37" },
];

/** What deployments show that the document does not, where the contract has to choose. */
export const observed: Silence[] = [
  { silence: "the network's word in type names", decision: "D-01" },
  { silence: "the @type of every object", decision: "D-02" },
  { silence: "a failure is a text and a number", decision: "D-03" },
  { silence: "the statuses in use, 542 among them", decision: "D-04" },
  { silence: "@extra is made by the server", decision: "D-05" },
  { silence: "jsonrpc and id come with a JSON-RPC envelope only", decision: "D-06" },
  { silence: "hashes in base64, cells as bags of cells in base64", decision: "D-07" },
  { silence: "three states, and an uninitialised account with a balance", decision: "D-08" },
  { silence: "suspended is absent where false", decision: "D-09" },
  { silence: "four kinds of message content", decision: "D-10" },
  { silence: "strings or integers, and exactly one selector, in lookupBlock", decision: "D-11" },
  { silence: "which block an lt or a time finds", decision: "D-12" },
  { silence: "raw.transactions and the messages in it", decision: "D-13" },
  { silence: "where a page starts, where the next one does, and how the history ends", decision: "D-14" },
  { silence: "a limit from 1 to 1000", decision: "D-15" },
  { silence: "an account as of a masterchain block", decision: "D-16" },
  { silence: "no in_msg on transactions that the clock starts", decision: "D-17" },
  { silence: "an external message has no source transaction", decision: "D-18" },
  { silence: "created_lt follows from the lt of the transaction", decision: "D-19" },
  { silence: "how the consensus block relates to the head", decision: "D-20" },
  { silence: "whole seconds or fractions in the consensus timestamp", decision: "D-21" },
  { silence: 'the shard "0" of the zero state', decision: "D-22" },
  { silence: "the balance of an account never seen", decision: "D-23" },
  { silence: "rates by plan, and no headers on a 429", decision: "D-24" },
  { silence: "a required key without which requests are served", decision: "D-25" },
  { silence: "old history fails without archival", decision: "D-26" },
  { silence: "unknown members of a body are refused", decision: "D-27" },
  { silence: "how the three fees add up", decision: "D-28" },
  { silence: "which members are always there", decision: "D-29" },
];
