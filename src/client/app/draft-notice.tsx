import { useEffect } from "react";
import { draftTitles } from "@/lib/drafts";
import { notify } from "@/lib/notify";
import { useCurrentUser } from "@/session/session";

/** After a new sign-in or a reload: says which forms still hold what was typed. Renders nothing. */
export function DraftNotice() {
  const { id } = useCurrentUser();
  useEffect(() => {
    const titles = draftTitles(id);
    if (titles.length === 0) return;

    const names = titles.map((title) => `“${title}”`).join("、");
    notify.info("上次填写的内容已保留", { id: "drafts", message: `重新打开${names}即可继续填写` });
  }, [id]);
  return null;
}
