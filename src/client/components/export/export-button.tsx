import type { Pagination } from "@shared/page.ts";
import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { type ExportRequest, useExport } from "./use-export";

type ExportButtonProps = ExportRequest & {
  /** `导出全部 60 台` where the page speaks of a part as well. */
  label?: string;
  /** Hides the label from all but screen readers where there is no room. */
  labelClassName?: string;
};

/** Saves as a CSV file what the filters of the page show: all of it, not only the page in sight. */
export function ExportButton({ label = "导出", labelClassName, ...request }: ExportButtonProps) {
  const exportList = useExport();
  return (
    <Button variant="outline" disabled={request.total === 0} onClick={() => exportList(request)}>
      <Download />
      <span className={labelClassName}>{label}</span>
    </Button>
  );
}

type ListQuery = {
  data: { pagination: Pagination } | undefined;
  isPlaceholderData: boolean;
};

/** Unknown while the rows in sight are still those of other filters. */
export function shownTotal({ data, isPlaceholderData }: ListQuery): number | undefined {
  return isPlaceholderData ? undefined : data?.pagination.total;
}
