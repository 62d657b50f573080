import { z } from "zod";
import { useSearchParams } from "@/lib/use-search-params";

const PanelSearch = z.object({ panel: z.literal("sync").optional().catch(undefined) });

/** Whether the sync panel is open: in the address, so that whatever opens it means the one panel in the top bar, and a reload keeps it. */
export function useSyncPanel() {
  const { params, setParams } = useSearchParams(PanelSearch);
  return {
    isOpen: params.panel === "sync",
    setOpen: (open: boolean) => setParams({ panel: open ? "sync" : undefined }, { replace: true }),
  };
}
