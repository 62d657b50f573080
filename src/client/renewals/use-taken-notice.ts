import { failureCode } from "@/failure";
import { notify } from "@/lib/notify";
import { useLiveEvent } from "@/live-updates";
import { trpc } from "@/trpc";

/**
 * A page that shows a host lets go of it as soon as the client has it no more, and of the form on it with all that was written: then
 * a toast says why. Undefined for a form that stays and says so itself.
 */
export function useTakenNotice(hostId: string | undefined): void {
  const utils = trpc.useUtils();
  function look(): void {
    if (hostId === undefined) return;
    utils.hosts.get.fetch({ id: hostId }, { staleTime: 0 }).catch((error: unknown) => {
      if (failureCode(error) !== "NOT_FOUND") return;
      notify.warning("该主机已不再分配给您", { id: `host-taken:${hostId}`, message: "正在填写的续费申请没有提交" });
    });
  }
  // A period that was moved into the future is told as the first alone.
  useLiveEvent("hosts.changed", look);
  useLiveEvent("assignment.changed", look);
}
