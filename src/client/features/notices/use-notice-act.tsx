import { MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import type { Notice } from "@shared/notices.ts";
import { useLocation } from "wouter";
import { toastError } from "@/api/errors";
import { HOST_TABLE } from "@/components/batch/batch-acts";
import { useReadHostsById } from "@/components/batch/use-read-back";
import { lazyDialog } from "@/lib/lazy";
import { notify } from "@/lib/notify";
import { type DialogState, useDialog } from "@/lib/use-dialog";
import type { NoticeAct } from "./notice-acts";

const RenewalApplyDialog = lazyDialog(() =>
  import("@/components/renewals/renewal-apply-dialog").then((m) => m.RenewalApplyDialog),
);
const RenewHostsDialog = lazyDialog(() =>
  import("@/components/renewals/renew-hosts-dialog").then((m) => m.RenewHostsDialog),
);
const BatchEndDialog = lazyDialog(() =>
  import("@/components/batch/batch-end-dialog").then((m) => m.BatchEndDialog),
);
const BatchRemindDialog = lazyDialog(() =>
  import("@/components/batch/batch-remind-dialog").then((m) => m.BatchRemindDialog),
);

/** The hosts that one act takes, those that end first, and how many the notice is about besides. */
interface ActSubject {
  readonly hosts: readonly Host[];
  readonly moreHosts: number;
}

/**
 * The next step from a notice: reads its hosts as they are now, and opens the dialog of the act for
 * all of them. The dialog belongs to the page: in a list of unread notices the row leaves when its
 * notice is read.
 */
export function useNoticeAct() {
  const { show, dialog } = useDialog<NoticeAct, ActSubject>();
  const readHosts = useReadHostsById();
  const [, navigate] = useLocation();

  async function begin(act: NoticeAct, notice: Notice): Promise<void> {
    try {
      const hosts = await readHosts(notice.items.map(({ hostId }) => hostId));
      const concerned = act === "renew" ? withoutOpenRenewal(hosts) : hosts;
      if (concerned.length === 0) {
        sayWhyNot(hosts);
        return;
      }

      const chosen = act === "renew" ? concerned.slice(0, MAX_BATCH_HOSTS) : concerned;
      const unnamed = notice.hostCount - notice.items.length;
      show(act, { hosts: chosen, moreHosts: unnamed + concerned.length - chosen.length });
    } catch (error) {
      toastError("读取主机失败", error);
    }
  }

  /** Every host was taken back since, or has an open request. */
  function sayWhyNot(hosts: readonly Host[]): void {
    if (hosts.length === 0) {
      notify.info("没有可以处理的主机", { message: "这些主机已收回或已消失" });
      return;
    }
    notify.info("已有未完成的续费申请", {
      message: hosts.length === 1 ? "不必再次申请" : "这些主机都不必再次申请",
      action: { label: "查看申请", onClick: () => navigate("/client/renewals") },
    });
  }

  return { begin, dialogs: <NoticeActDialogs dialog={dialog} /> };
}

function withoutOpenRenewal(hosts: readonly Host[]): readonly Host[] {
  return hosts.filter(({ openRenewal }) => openRenewal === null);
}

type NoticeActDialogsProps = {
  dialog: (act: NoticeAct) => DialogState<ActSubject> | null;
};

function NoticeActDialogs({ dialog }: NoticeActDialogsProps) {
  const renew = dialog("renew");
  const extend = dialog("extend");
  const remind = dialog("remind");

  return (
    <>
      {renew === null ? null : <RenewDialog {...renew} />}
      {extend === null ? null : <BatchEndDialog {...batchOf(extend)} />}
      {remind === null ? null : <BatchRemindDialog {...batchOf(remind)} />}
    </>
  );
}

function RenewDialog({ subject: { hosts, moreHosts }, ...dialog }: DialogState<ActSubject>) {
  const [first] = hosts;
  if (hosts.length === 1 && first !== undefined) {
    return <RenewalApplyDialog hostId={first.id} {...dialog} />;
  }
  return (
    <RenewHostsDialog subject={hosts} moreHosts={moreHosts} {...dialog} onFinished={ignoreRest} />
  );
}

/** A notice has no selection in which the rest could stay chosen. */
function batchOf({ subject: { hosts, moreHosts }, ...dialog }: DialogState<ActSubject>) {
  return {
    ...dialog,
    subject: {
      hosts,
      moreHosts,
      scope: { kind: "choice", firstId: undefined },
      path: HOST_TABLE,
    },
    onFinished: ignoreRest,
  } as const;
}

function ignoreRest(): void {}
