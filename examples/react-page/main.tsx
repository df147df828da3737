// Shows the account of /?address=… and asks for it every 5 seconds.
import { createClient, formatNano } from "@chain-query/client";
import { createQueries } from "@chain-query/client/query";
import {
  QueryClient,
  QueryClientProvider,
  useQuery,
} from "@tanstack/react-query";
import { createRoot } from "react-dom/client";

const parameters = new URLSearchParams(location.search);
const chain = createClient({
  baseUrl: parameters.get("service") ?? "http://127.0.0.1:4010",
});
const queries = createQueries(chain);

function Account({ address }: { address: string }) {
  const account = useQuery({
    ...queries.getAddressInformation({ address }),
    refetchInterval: 5_000,
  });
  if (account.isPending) return <p>Loading …</p>;
  if (account.isError) return <p role="alert">{account.error.message}</p>;
  const { state, balance, block_id } = account.data;
  return (
    <p>
      {formatNano(balance)} ({state}, at block {block_id.seqno})
    </p>
  );
}

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <Account address={parameters.get("address") ?? ""} />
    </QueryClientProvider>,
  );
}
