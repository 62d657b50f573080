import { RENEWAL_STATUS_LABELS } from "@shared/renewal-status.ts";
import { RENEWAL_DECISION_LABELS, type Renewal, type UndoneDecision } from "@shared/renewals.ts";
import { isClient } from "@shared/roles.ts";
import {
  Ban,
  CircleCheck,
  CircleDollarSign,
  CircleX,
  Clock,
  FilePlus2,
  type LucideIcon,
  Undo2,
} from "lucide-react";
import type { ReactNode } from "react";
import { AdminContact } from "@/components/admin-contact";
import { Remark } from "@/components/remark";
import { PROMISE } from "@/components/renewals/renewal-promise";
import { type BadgeTone, softTones } from "@/components/ui/badge";
import { useResponsibleAdmin } from "@/components/use-responsible-admin";
import { cn } from "@/lib/cn";
import { formatDateTime } from "@/lib/format";
import { useCurrentUser } from "@/session/session";

/** What has happened to a request, and what is still to come. */
export function RenewalTimeline({ renewal }: { renewal: Renewal }) {
  const { role } = useCurrentUser();
  const admin = useResponsibleAdmin();
  const payment = isClient(role)
    ? { description: `请联系${admin}付款，确认后到期时间自动延长`, contact: <AdminContact /> }
    : { description: "收到付款并标记完成后，到期时间顺延" };

  return (
    <section aria-labelledby="renewal-course">
      <h3 id="renewal-course" className="mb-3 font-semibold">
        处理进度
      </h3>
      <ol>
        {stepsOf(renewal, payment).map(({ key, ...step }) => (
          <TimelineStep key={key} {...step} />
        ))}
      </ol>
    </section>
  );
}

type Step = {
  key: string;
  title: string;
  time?: string;
  description?: string;
  contact?: ReactNode;
  icon: LucideIcon;
  /** Without one it is still to come. */
  tone?: BadgeTone;
};

function TimelineStep({ title, time, description, contact, icon: Icon, tone }: Omit<Step, "key">) {
  return (
    <li className="group/step relative flex gap-3 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-1 left-3.5 w-px -translate-x-1/2 bg-border-strong group-last/step:hidden"
      />
      <span
        className={cn(
          "grid size-7 shrink-0 place-items-center rounded-full",
          tone
            ? softTones[tone]
            : "border border-dashed border-border-strong text-subtle-foreground",
        )}
      >
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p
            className={cn(
              "min-w-0 font-medium [overflow-wrap:anywhere]",
              !tone && "text-muted-foreground",
            )}
          >
            {title}
          </p>
          {time ? <time className="text-xs text-muted-foreground">{time}</time> : null}
        </div>
        {description ? (
          <p className="mt-0.5 text-sm text-muted-foreground">
            <Remark text={description} />
          </p>
        ) : null}
        {contact ? <div className="mt-1 text-sm">{contact}</div> : null}
      </div>
    </li>
  );
}

type Payment = Pick<Step, "description" | "contact">;

/** `payment` says how an approved request goes on. */
function stepsOf(renewal: Renewal, payment: Payment): Step[] {
  const { status, processedAt, undoneDecisions = [] } = renewal;
  const isUndoneSince = ({ at, restoredStatus }: UndoneDecision) =>
    processedAt !== null && at >= processedAt && restoredStatus === status;
  const undoneBefore = undoneDecisions.filter((undone) => !isUndoneSince(undone));
  const undoneSince = undoneDecisions.filter(isUndoneSince);

  return [
    submitted(renewal),
    ...undoneBefore.map(undoneStep),
    ...decided(renewal),
    ...undoneSince.map(undoneStep),
    ...toCome(renewal, payment),
  ];
}

function submitted({ user, createdAt, requestedDuration, remark }: Renewal): Step {
  const reason = remark ? `：${remark}` : "";

  return {
    key: "submitted",
    title: `“${user.name}”提交申请`,
    time: formatDateTime(createdAt),
    description: `申请续费 ${requestedDuration} 天${reason}`,
    icon: FilePlus2,
    tone: "accent",
  };
}

/** The decision that stands. */
function decided(renewal: Renewal): Step[] {
  const { status, requestedDuration, processedAt } = renewal;
  const decision = {
    key: "decided",
    time: formatDateTime(processedAt),
    description: decisionText(renewal),
  };

  switch (status) {
    case "pending":
      return [];
    case "approved":
      return [{ ...decision, title: "已批准", icon: CircleCheck, tone: "info" }];
    case "completed": {
      const title = `已完成，到期时间已延长 ${requestedDuration} 天`;
      return [{ ...decision, title, icon: CircleCheck, tone: "success" }];
    }
    case "rejected":
      return [{ ...decision, title: "已拒绝", icon: CircleX, tone: "danger" }];
    case "cancelled":
      return [{ ...decision, title: "已取消", icon: Ban, tone: "neutral" }];
  }
}

function toCome({ status }: Renewal, payment: Payment): Step[] {
  switch (status) {
    case "pending": {
      const title = RENEWAL_STATUS_LABELS.pending;
      return [{ key: "to come", title, description: PROMISE, icon: Clock }];
    }
    case "approved":
      return [{ key: "to come", title: "待付款", ...payment, icon: CircleDollarSign }];
    default:
      return [];
  }
}

/** A client is not told who undid it. */
function undoneStep(
  { decision, restoredStatus, at, undoneBy }: UndoneDecision,
  index: number,
): Step {
  const notes: string[] = [];
  if (undoneBy !== null) notes.push(`操作人：${undoneBy.name}`);
  notes.push(`申请恢复为${RENEWAL_STATUS_LABELS[restoredStatus]}`);
  if (decision === "completed") notes.push("到期时间恢复为续费前的时间");

  return {
    key: `${at} ${index}`,
    title: `“${RENEWAL_DECISION_LABELS[decision]}”已撤销`,
    time: formatDateTime(at),
    description: notes.join("，"),
    icon: Undo2,
    tone: "warning",
  };
}

/** `处理人：管理员，备注：请转账`. A client is not told who decided. */
function decisionText({ processedBy, adminRemark }: Renewal): string {
  const notes: string[] = [];
  if (processedBy !== null) notes.push(`处理人：${processedBy.name}`);
  if (adminRemark) notes.push(`备注：${adminRemark}`);

  return notes.join("，");
}
