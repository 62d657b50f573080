import { isOpenRenewal, RENEWAL_STATUS_LABELS } from "../../../shared/renewal-status.ts";
import { RENEWAL_SORT_LABELS, type Renewal } from "../../../shared/renewals.ts";
import { isClient, type Role } from "../../../shared/roles.ts";
import { extendedExpiry } from "../../../shared/time.ts";
import { timeCell } from "../../platform/csv/cells.ts";
import type { CsvColumn } from "../../platform/csv/csv-file.ts";

const MB_PER_GB = 1_024;

type Column = CsvColumn<Renewal>;

/**
 * As the console names them. To a client neither the provider's end nor who decided is shown, and
 * who asks is always the client.
 */
export function exportColumns({ role, now }: ColumnsFor): readonly Column[] {
  const endToCome = endToComeAt(now);
  if (isClient(role)) return [...HOST, ...REQUEST, OWN_END, endToCome, ...DATES, ...REMARKS];

  const ends = [USER_END, endToCome, PROVIDER_END];
  return [...CLIENT, ...HOST, ...REQUEST, ...ends, ...DATES, DECIDED_BY, ...REMARKS];
}

/** `now` in Unix seconds. */
interface ColumnsFor {
  readonly role: Role;
  readonly now: number;
}

const CLIENT: readonly Column[] = [
  { header: "申请人", value: ({ user }) => user.name },
  { header: "用户名", value: ({ user }) => user.username },
  { header: "邮箱", value: ({ user }) => user.email },
  { header: "手机号", value: ({ user }) => user.phone },
];

const HOST: readonly Column[] = [
  { header: "主机", value: ({ host }) => host.name },
  { header: "资源 ID", value: ({ host }) => host.ucloudId },
  { header: "CPU 核数", value: ({ host }) => host.cpu },
  { header: "内存（GB）", value: ({ host }) => host.memory / MB_PER_GB },
];

const REQUEST: readonly Column[] = [
  { header: "状态", value: ({ status }) => RENEWAL_STATUS_LABELS[status] },
  { header: "续费天数", value: ({ requestedDuration }) => requestedDuration },
];

const OWN_END: Column = { header: "我的到期时间", value: assignedEnd };
const USER_END: Column = { header: RENEWAL_SORT_LABELS.expireTime, value: assignedEnd };

/** Where a request that is completed now would lead to; empty once it is closed. */
function endToComeAt(now: number): Column {
  return {
    header: "续费后到期时间",
    value: (renewal) => {
      if (!isOpenRenewal(renewal)) return null;

      const { assignedExpireTime, requestedDuration } = renewal;
      return timeCell(extendedExpiry(assignedExpireTime, requestedDuration, now));
    },
  };
}

const PROVIDER_END: Column = {
  header: "云端到期时间",
  value: ({ host }) => timeCell(host.expireTime),
};

const DATES: readonly Column[] = [
  { header: RENEWAL_SORT_LABELS.createdAt, value: ({ createdAt }) => timeCell(createdAt) },
  { header: "处理时间", value: ({ processedAt }) => timeCell(processedAt) },
];

const DECIDED_BY: Column = {
  header: "处理人",
  value: ({ processedBy }) => processedBy?.name ?? null,
};

const REMARKS: readonly Column[] = [
  { header: "备注", value: ({ remark }) => remark },
  { header: "管理员备注", value: ({ adminRemark }) => adminRemark },
];

function assignedEnd({ assignedExpireTime }: Renewal): string | null {
  return timeCell(assignedExpireTime);
}
