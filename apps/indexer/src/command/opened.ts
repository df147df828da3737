import { CommandLineError } from "@chain-query/command-line";

/** Uses a database. Wrong URLs and ranges, which the store reports as `RangeError`, are the operator's. */
export async function opened<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof RangeError ? new CommandLineError([error.message]) : error;
  }
}
