import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogForm,
  DialogHeader,
} from "@/components/ui/dialog";
import { failureCode, showFieldErrors } from "@/failure";
import { notifyFailure } from "@/failure-notice";
import { hostTitle } from "@/hosts/host-tab";
import { notify } from "@/lib/notify";
import { trpc } from "@/trpc";
import { ApplyFields } from "./apply-fields";
import { ApplyForm, emptyApplication, requestedDays } from "./apply-form";
import { ApplyObstacle, type Obstacle } from "./apply-obstacle";
import { useOwnHosts } from "./use-own-hosts";
import { useTakenNotice } from "./use-taken-notice";
import { useWaitingHosts } from "./use-waiting-hosts";
import { PROMISE } from "./waiting";

type RenewalApplyDialogProps = {
  /** The host is settled; without it one of the own hosts is picked. */
  hostId?: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** A client asks for more time on an own host. */
export function RenewalApplyDialog({ hostId, open, onOpenChange }: RenewalApplyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader title="申请续费" description={PROMISE} />
        <RenewalApplyForm hostId={hostId} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function RenewalApplyForm({ hostId, onDone }: { hostId: string | undefined; onDone: () => void }) {
  const form = useForm({ resolver: zodResolver(ApplyForm), defaultValues: emptyApplication(hostId) });
  const create = trpc.renewals.create.useMutation({
    onSuccess(renewal) {
      notify.success("续费申请已提交", `${hostTitle(renewal.host)} 续费 ${renewal.requestedDuration} 天，${PROMISE}`);
      onDone();
    },
    onError(error) {
      if (showFieldErrors(error, form.setError, ["hostId", "remark"])) return;
      notifyFailure(hostId === undefined ? "申请失败" : "续费申请失败", error);
    },
  });
  useTakenNotice(hostId);
  const chosenId = useWatch({ control: form.control, name: "hostId" });
  const own = useOwnHosts("", { enabled: hostId === undefined }).data;
  const onlyId = own?.pagination.total === 1 ? own.hosts[0]?.id : undefined;
  // Who has a single host means that one. As a default, it is nothing that would be lost.
  useEffect(() => {
    if (onlyId !== undefined && form.getValues("hostId") === "") form.resetField("hostId", { defaultValue: onlyId });
  }, [onlyId, form]);
  const obstacle = useObstacle(chosenId, own?.pagination.total === 0);
  // What the own request brings about is no obstacle to it.
  const shown = create.isPending || create.isSuccess ? null : obstacle;
  return (
    <DialogForm
      isDirty={form.formState.isDirty}
      onSubmit={form.handleSubmit((values) =>
        create.mutateAsync({
          hostId: values.hostId,
          requestedDuration: requestedDays(values),
          ...(values.remark.trim() === "" ? {} : { remark: values.remark }),
        }),
      )}
    >
      <DialogBody>
        <ApplyFields
          control={form.control}
          isHostSettled={hostId !== undefined}
          obstacle={shown === null ? null : <ApplyObstacle obstacle={shown} onLeave={onDone} />}
        />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">取消</Button>
        </DialogClose>
        <Button type="submit" disabled={shown !== null} loading={create.isPending}>
          提交申请
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

/** The host may be taken away, and another tab may ask for it, while the form is open. */
function useObstacle(hostId: string, hasNoHosts: boolean): Obstacle | null {
  const host = trpc.hosts.get.useQuery({ id: hostId }, { enabled: hostId !== "" });
  const pendingId = useWaitingHosts().get(hostId);
  if (failureCode(host.error) === "NOT_FOUND") return { reason: "taken" };
  if (hostId === "" && hasNoHosts) return { reason: "none" };
  return pendingId === undefined ? null : { reason: "waiting", pendingId };
}
