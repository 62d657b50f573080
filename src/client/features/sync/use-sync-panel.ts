import { Id } from "@shared/ids.ts";
import { z } from "zod";
import { useSearchParams } from "@/lib/use-search-params";

const PanelSearch = z.object({
  panel: z.literal("sync").optional().catch(undefined),
  run: Id.optional().catch(undefined),
});

/** The panel of the top bar. Its state is in the address, so that any page can open it. */
export function useSyncPanel() {
  const { params, setParams } = useSearchParams(PanelSearch);
  return {
    isOpen: params.panel === "sync",
    runId: params.run,
    /** With the details of this run. */
    show: (run?: string) => setParams({ panel: "sync", run }),
    close: () => setParams({ panel: undefined, run: undefined }, { replace: true }),
  };
}
