import { downloadFile } from "./download-file";
import { notify } from "./notify";

/** Saves rows of cells as a CSV file. What writes it is loaded when somebody wants one. */
export async function downloadCsv(
  fileName: string,
  rows: readonly (readonly string[])[],
): Promise<void> {
  try {
    const { BYTE_ORDER_MARK, csvText } = await import("@shared/csv-text.ts");
    downloadFile(fileName, [BYTE_ORDER_MARK, csvText(rows)], "text/csv;charset=utf-8");
  } catch {
    notify.error("下载失败", { message: "页面没有加载完整，请检查网络后重试。" });
  }
}
