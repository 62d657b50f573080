import { USERS } from "./import-kind";
import { ImportScreen } from "./import-screen";

export function UsersImportPage() {
  return <ImportScreen kind={USERS} />;
}
