import { Alert } from "@/components/ui/alert";
import { formatNumber } from "@/lib/format-number";

/** Of a notice about more hosts than it names: the act does not reach the others. */
export function MoreHosts({ count }: { count: number }) {
  return <Alert>{`另有 ${formatNumber(count)} 台不在其中，请在主机列表中处理。`}</Alert>;
}
