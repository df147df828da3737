import { followRewinds, followRewindsOfReplica } from "./rewind.ts";

followRewinds([
  [1, 1, false],
  [2, 2, true],
]);
followRewindsOfReplica();
