import Mathematics from "../screens/Mathematics.svelte";
import { begin } from "./begin";

begin(Mathematics);
