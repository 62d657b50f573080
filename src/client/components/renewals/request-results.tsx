import { BatchResults } from "@/components/batch/batch-results";
import { countOutcomes, type Result } from "@/components/batch/result";

export function RequestResults({ results }: { results: readonly Result[] }) {
  const { succeeded, failed, unknown } = countOutcomes(results);
  const unknownText = unknown > 0 ? `，结果未知 ${unknown} 个` : "";
  return (
    <BatchResults label="每个申请的结果" results={results}>
      <p role="status">{`成功 ${succeeded} 个，失败 ${failed} 个${unknownText}`}</p>
    </BatchResults>
  );
}
