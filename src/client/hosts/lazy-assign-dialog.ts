import { lazyDialog } from "@/lib/lazy-dialog";

export const AssignDialog = lazyDialog(() => import("./assign-dialog").then((m) => m.AssignDialog));
