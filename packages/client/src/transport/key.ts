/** Only characters that a header accepts, because for others `fetch` throws an error that contains the key. */
export const isKey = (value: unknown): boolean => typeof value === "string" && /^[!-~]+$/.test(value);
