import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { type Result, ResultList } from "@/hosts/result-list";

type ResultsDialogProps = {
  title: string;
  results: readonly Result[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** What became of each request, failures first. */
export function ResultsDialog({ title, results, open, onOpenChange }: ResultsDialogProps) {
  const failed = results.filter(({ ok }) => !ok);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader
          title={title}
          description={`成功 ${results.length - failed.length} 个，失败 ${failed.length} 个`}
        />
        <DialogBody>
          <ResultList label="每个申请的结果" lines={[...failed, ...results.filter(({ ok }) => ok)]} />
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button>完成</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
