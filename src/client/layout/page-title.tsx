import { useEffect } from "react";

/** Of the browser's tab: the page first, so that many tabs can be told apart. */
export function PageTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} - 多主机管理系统`;
  }, [title]);
  return null;
}
