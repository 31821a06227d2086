"""From which length on retrieval beats reading everything."""
