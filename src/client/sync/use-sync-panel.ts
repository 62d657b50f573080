import { Id } from "@shared/ids.ts";
import { z } from "zod";
import { useSearchParams } from "@/lib/use-search-params";

const PanelSearch = z.object({
  panel: z.literal("sync").optional().catch(undefined),
  run: Id.optional().catch(undefined),
});

/**
 * Whether the sync panel is open, and which run was asked for: in the address, so that whatever opens it means the one panel in the top
 * bar, and a reload keeps it.
 */
export function useSyncPanel() {
  const { params, setParams } = useSearchParams(PanelSearch);
  const open = (run?: string) => setParams({ panel: "sync", run }, { replace: true });
  return {
    isOpen: params.panel === "sync",
    runId: params.run,
    setOpen: (isOpen: boolean) =>
      isOpen ? open() : setParams({ panel: undefined, run: undefined }, { replace: true }),
    /** Opens it with this run in full. */
    show: open,
  };
}
