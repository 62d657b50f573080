import { RotateCw } from "lucide-react";
import { LOAD_FAILED, toastError } from "@/api/errors";
import { Button } from "@/components/ui/button";

/**
 * Asks the server again. What is on the screen stays when that fails, so the failure is a toast.
 */
export function RefreshButton({ refetch }: { refetch: () => Promise<{ error: unknown }> }) {
  return (
    <Button
      variant="outline"
      onClick={async () => {
        const { error } = await refetch();
        if (error !== null) toastError(LOAD_FAILED, error, { id: LOAD_FAILED });
      }}
    >
      <RotateCw />
      刷新
    </Button>
  );
}
