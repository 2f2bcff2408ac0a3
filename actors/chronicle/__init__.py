"""What receipts tell, read by whoever watches them live and by whoever reads them back."""
