"""How sure a value is: significance against chance, intervals for other data, adjustment for chance."""
