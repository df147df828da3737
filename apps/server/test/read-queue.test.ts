import { expect, test } from "vitest";
import { ReadQueue } from "../src/answer-cache/read-queue.ts";

/** A queue whose pages are read until they are ended by hand. */
function startQueue() {
  const queue = new ReadQueue();
  const begun: string[] = [];
  let end: () => void = () => {};
  return {
    begun,
    /** Asks for a page of an owner. */
    ask: (owner: string, page: string, abort = new AbortController()): Promise<string> => {
      const read = (): Promise<string> => {
        begun.push(page);
        return new Promise((resolve) => {
          end = () => resolve(page);
        });
      };
      return queue.run(read, owner, abort.signal);
    },
    /** Ends the page that is read. */
    endOne: async (): Promise<void> => {
      end();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("owners of long pages take turns", async () => {
  const { begun, ask, endOne } = startQueue();
  const pages = [..."123456"].map((number) => ask("greedy", `greedy ${number}`));
  pages.push(ask("modest", "modest 1"), ask("late", "late 1"));
  await endOne();
  await endOne();
  // Arrives after the turn of its owner: those who have waited come first.
  pages.push(ask("modest", "modest 2"));
  for (let left = pages.length; left > 0; left--) await endOne();
  await Promise.all(pages);
  expect(begun.slice(0, 5)).toEqual(["greedy 1", "modest 1", "late 1", "greedy 2", "modest 2"]);
  expect(begun.slice(5)).toEqual(["greedy 3", "greedy 4", "greedy 5", "greedy 6"]);
});

test("an owner that fills the queue is refused pages, others are not", async () => {
  const { begun, ask, endOne } = startQueue();
  const greedy = Array.from({ length: 65 }, (_, number) => ask("greedy", `greedy ${number}`));
  await expect(ask("greedy", "one more")).rejects.toMatchObject({ status: 503 });
  const modest = ask("modest", "modest");
  await expect(greedy.at(-1)).rejects.toMatchObject({ status: 503 });
  await endOne();
  expect(begun).toEqual(["greedy 0", "modest"]);
  await endOne();
  await expect(modest).resolves.toBe("modest");
});

test("a page whose request ends while it waits is not read", async () => {
  const { begun, ask, endOne } = startQueue();
  const abort = new AbortController();
  const first = ask("one", "first");
  const left = ask("other", "left", abort);
  const last = ask("other", "last");
  abort.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  await endOne();
  await endOne();
  await Promise.all([first, last]);
  expect(begun).toEqual(["first", "last"]);
});
