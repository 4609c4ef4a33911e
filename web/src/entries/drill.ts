import Drill from "../screens/Drill.svelte";
import { begin } from "./begin";

begin(Drill);
