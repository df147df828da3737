/** Values that often break services, and random ones. */
import fc from "fast-check";

const address = "EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH";

const numbers =
  "0 -0 -1 +1 1.5 1e3 1e400 NaN 0x10 4294967295 4294967296 9223372036854775807 9223372036854775808 -9223372036854775808 " +
  "-9223372036854775809 18446744073709551615 00000000000000000001";
const words = "٣ null true [] {} 💥 __proto__ constructor toString ../../etc/passwd %";

const texts = [
  ...numbers.split(" "),
  ...words.split(" "),
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202e",
  "'\"<>&",
  "\r\nx-split: 1",
  address,
  address.toLowerCase(),
  `${address}=`,
  address.slice(1),
  `${address.slice(0, -1)}I`,
  address.replace("_", "/"),
  address.replace("E", "0"),
  `0:${"0".repeat(64)}`,
  `-1:${"f".repeat(64)}`,
  `+0:${"0".repeat(64)}`,
  `2147483648:${"0".repeat(64)}`,
  `0:${"0".repeat(63)}`,
  `0:${"g".repeat(64)}`,
  "a".repeat(64),
  "A".repeat(44),
  `${"A".repeat(43)}=`,
  `${"B".repeat(43)}=`,
  "x".repeat(5000),
];

/** A text. */
export const edgeText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) },
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
);

/** A text in a URL, encoded or not. */
export const edgeUrlText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: edgeText.map((text) => encodeURIComponent(text.toWellFormed())) },
  edgeText.map((text) => text.toWellFormed().replaceAll(/\s/g, "")),
  fc.constantFrom("%", "%0", "%zz", "%00", "%c0%af", "%ff", "%ed%a0%80", "a&b=c", "%26", "#", "a".repeat(20_000), "[]", "+"),
);

/** Any JSON, as text. */
export const edgeJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: edgeText.map((text) => JSON.stringify(text)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(..."null true false 0 -0 -1 1 1.5 1e3 1E400 -1e400 0.1e1 4294967296".split(" ")),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "9007199254740993",
      "9223372036854775808",
      "-9223372036854775809",
      "1".repeat(400),
      "-9223372036854775808",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "[]",
      "{}",
      "[[]]",
      '{"a":1}',
      '{"__proto__":1}',
      '{"$ref":"#"}',
      '["x","x"]',
      '"\\ud800"',
      '"\\u0000"',
    ),
  },
  fc.json({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
);

/** A header that a service may read. */
export const edgeHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.constantFrom(
    ["content-type", "text/plain"],
    ["content-type", "application/json; charset=utf-16"],
    ["content-type", "application/json;;"],
    ["content-type", "APPLICATION/JSON"],
    ["content-type", "multipart/form-data; boundary=x"],
    ["content-type", ""],
    ["content-type", "a".repeat(5000)],
    ["content-encoding", "gzip"],
    ["content-encoding", "unknown"],
    ["accept", "text/html"],
    ["accept", "*/*;q=0"],
    ["accept-encoding", "br, gzip"],
    ["x-api-key", "unknown"],
    ["x-api-key", ""],
    ["x-api-key", `cq_0123456789ab_${"A".repeat(43)}`],
    ["x-forwarded-for", "1.2.3.4, ::1"],
    ["x-forwarded-host", "evil"],
    ["forwarded", "for=1.2.3.4"],
    ["host", ""],
    ["host", "a b"],
    ["host", "second"],
    ["expect", "100-continue"],
    ["expect", "unknown"],
    ["connection", "upgrade"],
    ["upgrade", "websocket"],
    ["upgrade", "h2c"],
    ["transfer-encoding", "gzip"],
    ["transfer-encoding", "chunked, chunked"],
    ["te", "trailers"],
    ["if-none-match", "*"],
    ["if-modified-since", "unknown"],
    ["range", "bytes=0-1"],
    ["origin", "null"],
    ["origin", "https://a.example"],
    ["access-control-request-method", "POST"],
    ["access-control-request-headers", "x-api-key"],
    ["cookie", "a=b; ".repeat(200)],
    ["x-http-method-override", "DELETE"],
    ["traceparent", "unknown"],
    ["content-length", "1e3"],
    ["content-length", "-1"],
    ["content-length", "0x5"],
    ["prefer", "code=500"],
  ),
  fc.tuple(
    fc.constantFrom("x-fuzz", "accept", "user-agent", "x-request-id", "origin"),
    edgeText.map((text) => text.toWellFormed().replaceAll(/[\r\n]/g, "")),
  ),
);
