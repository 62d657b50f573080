import { BatchResults, type Result } from "@/components/batch/batch-results";

export function RequestResults({ results }: { results: readonly Result[] }) {
  const done = results.filter(({ ok }) => ok).length;
  return (
    <BatchResults label="每个申请的结果" results={results}>
      <p role="status">
        成功 {done} 个，失败 {results.length - done} 个
      </p>
    </BatchResults>
  );
}
