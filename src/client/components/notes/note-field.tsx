import { useFormContext, useFormState, useWatch } from "react-hook-form";
import { FormField } from "@/components/form-field";
import { Remark } from "@/components/remark";
import { Alert } from "@/components/ui/alert";
import { Textarea } from "@/components/ui/textarea";
import { isNoteConflict } from "./note-conflict";
import { NOTE_LABEL } from "./note-label";

type NoteFieldProps = {
  help: string;
  placeholder?: string;
  rows: number;
  /** As it is by now, kept up to date while the form is open; undefined until it is known. */
  stored: string | null | undefined;
  className?: string;
};

/** The field `note` of a form. It shows what somebody else wrote there since the form was opened. */
export function NoteField({ help, stored, className, ...textarea }: NoteFieldProps) {
  const { control } = useFormContext<{ note: string }>();

  return (
    <div className={className}>
      <FormField control={control} name="note" label={NOTE_LABEL} help={help}>
        {(field) => <Textarea {...textarea} {...field} />}
      </FormField>
      {stored === undefined ? null : <ConflictAlert stored={stored ?? ""} />}
    </div>
  );
}

function ConflictAlert({ stored }: { stored: string }) {
  const { control } = useFormContext<{ note: string }>();
  const { defaultValues } = useFormState({ control });
  const edited = useWatch({ control, name: "note" });
  const before = defaultValues?.note ?? "";
  if (!isNoteConflict({ before, edited, stored })) return null;

  return (
    <div className="mt-3">
      <Alert tone="warning" live title={`${NOTE_LABEL}刚刚被他人修改`}>
        {stored === "" ? (
          <p>他人已清空备注。保存后将写入您填写的内容。</p>
        ) : (
          <>
            <p>保存后，您填写的内容将替换以下内容：</p>
            <div
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
              tabIndex={0}
              className="mt-1 max-h-40 overflow-y-auto rounded-sm"
            >
              <Remark text={stored} />
            </div>
          </>
        )}
      </Alert>
    </div>
  );
}
