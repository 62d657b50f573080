export { ExpiryBadge } from "./host-facts";
