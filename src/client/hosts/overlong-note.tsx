import { ASSIGNMENT_DAYS } from "@shared/hosts.ts";
import { Alert } from "@/components/ui/alert";
import { formatExpiry } from "@/lib/format";
import { type PresentPeriod, presentDays } from "./assignment-form";

type OverlongNoteProps = {
  /** What is stored. */
  period: PresentPeriod;
  /** What the form begins with. */
  proposed: PresentPeriod;
};

/** Says why the form does not begin with the period that there is; nothing where it does. */
export function OverlongNote({ period, proposed }: OverlongNoteProps) {
  if (proposed.assignedAt === period.assignedAt) return null;
  const limit = `超过一次分配最多的 ${ASSIGNMENT_DAYS.max} 天`;
  return proposed.assignedExpireTime === period.assignedExpireTime ? (
    <Alert>
      有效期经续费已共 {presentDays(period)} 天，{limit}。保存时改为从现在开始计算，到期时间不变。
    </Alert>
  ) : (
    <Alert tone="warning" title="不能按原样保存">
      有效期经续费已到 {formatExpiry(period.assignedExpireTime)}，{limit}
      。保存后的到期时间见下方；要保留现在的到期时间，请点“取消”。
    </Alert>
  );
}
