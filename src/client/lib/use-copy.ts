import { useEffect, useState } from "react";
import { copyText } from "./copy-text";
import { notify } from "./notify";

const SHOWN_MS = 1500;

/** Puts text on the clipboard; `isCopied` for a moment after it has worked, a toast when it has not. */
export function useCopy() {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;

    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return {
    isCopied,
    /** `near` is the button that was pressed. */
    async copy(text: string, near: HTMLElement): Promise<void> {
      if (await copyText(text, near)) setCopied(true);
      else notify.error("复制失败", { message: "请手动选择文字复制" });
    },
  };
}
