import Pit from "../screens/Pit.svelte";
import { begin } from "./begin";

begin(Pit);
