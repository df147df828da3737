import { followRewinds, followRewindsOfReplica } from "./rewind.ts";

followRewinds([
  [1, false],
  [2, true],
]);
followRewindsOfReplica();
