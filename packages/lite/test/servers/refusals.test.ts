/** The class of each refusal, by the code and the text of the node. */

import { expect, test } from "vitest";
import { faultOf, isMissing } from "../../src/servers/fault.ts";
import type { LiteError } from "../../src/wire/lite-error.ts";
import { queries, writeError } from "../../src/wire/tl/queries.ts";

const block = `(-1,8000000000000000,40334669):${"AB".repeat(32)}:${"CD".repeat(32)}`;

/** As a client reads it, cut to its bound. */
function refusal(code: number, text: string): unknown {
  try {
    return queries.getTime().read(writeError(code, text));
  } catch (error) {
    return error;
  }
}

test.each([
  [602, `cannot load state for ${block} : state already gc'd`, "missing"],
  [651, `cannot load state for ${block} : state not in db`, "missing"],
  [651, "cannot find block (0,8000000000000000) seqno=5: ltdb: block not found", "missing"],
  [651, "package already gc'd", "missing"],
  [651, "zerostate not in db", "missing"],
  [651, `cannot load block ${block} : block (-1,8000000000000000,40334669) is not in db`, "missing"],
  [651, `cannot load block ${block} : block is not in db (last known masterchain block: 40334658)`, "behind"],
  [
    651,
    `cannot load block ${block} : block (0,e000000000000000,45638178) is not in db (possibly out of sync: shard_client_seqno=40334658 ls_seqno=40334669)`,
    "behind",
  ],
  [651, "block (0,e000000000000000,45638178) is not applied", "behind"],
  [651, "too big masterchain block seqno", "behind"],
  [
    -400,
    "cannot compute block with specified transaction: cannot find block (0,8000000000000000) lt=5: lt not in db",
    "missing",
  ],
  [
    -400,
    "cannot compute block with specified transaction: cannot find block (0,8000000000000000) lt=5: ltdb: block not found (possibly out of sync: shard_client_seqno=1 ls_seqno=2)",
    "behind",
  ],
  [-400, "unknown request type", "unknown-function"],
  [651, "node not synced", "server-error"],
  [404, "too old master info requested", "missing"],
  [404, "library is not found", "server-error"],
  [502, "backend node timeout", "server-error"],
  [-400, `cannot load block ${block} with specified transaction: file not in archive slice`, "missing"],
  [-400, "cannot locate transaction in block with specified logical time", "missing"],
  [-400, "no out_msg_queue_size in shard state", "missing"],
  [-400, `client knows block ${block} newer than the reference masterchain block ${block}`, "behind"],
  [-400, "reference block must belong to the masterchain", "refused"],
  [-400, "requested account id is not contained in the shard of the reference block", "refused"],
  [0, "specified mc block is older than block's masterchain ref", "refused"],
  [0, "block doesn't have masterchain ref", "behind"],
  [0, "cannot create Merkle proof for mc state", "server-error"],
  [602, "internal error", "server-error"],
  [-503, "timeout", "server-error"],
  [652, "timeout", "server-error"],
  [621, "unknown query", "unknown-function"],
  [601, "the bytes are not TL", "refused"],
  [410, "too old", "missing"],
  [411, "too new", "behind"],
  [228, "too many queries", "limited"],
  [429, "too many queries", "limited"],
] as const)("%i, %s: %s", (code, text, fault) => {
  const error = refusal(code, text);
  expect(faultOf(error)).toBe(fault);
  expect(isMissing(error)).toBe(fault === "missing");
});

test("the text of a server is cut at the wire, and has no control characters", () => {
  const error = refusal(651, `${"x".repeat(1 << 20)}\u001b[2J\n<img>${" not in db".repeat(1 << 16)}`);
  const { message } = error as LiteError;
  expect(message).toMatch(/^getTime: x{99}…(?: not in db){10}$/);
  expect((refusal(651, "a\u001b[2J\r\n\u2028b\u202e") as LiteError).message).toBe("getTime: a?[2J???b?");
});
