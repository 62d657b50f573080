import { lazyDialog } from "@/lib/lazy-dialog";

export const RenewalApplyDialog = lazyDialog(() => import("./renewal-apply-dialog").then((m) => m.RenewalApplyDialog));
