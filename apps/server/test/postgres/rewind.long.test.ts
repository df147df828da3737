import { followRewinds, followRewindsOfReplica } from "./rewind.ts";

followRewinds([
  [1, 2, false],
  [2, 1, true],
]);
followRewindsOfReplica();
