/** The statements by which a session is checked. Records come as base64, as those of the reader. */

/** The head moves on in one row. $1 seqno of a head that is known: NULL if the row still has it. */
export const selectHead: string = "SELECT CASE WHEN seqno <> $1 THEN encode(record, 'base64') END FROM head WHERE id = 1";

export const selectChain: string = "SELECT encode(record, 'base64') FROM chain WHERE id = 1";
